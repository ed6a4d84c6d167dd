import { describe, expect, test } from 'vitest';
import { createPageUrls } from '../../electron-double/page-urls.ts';

describe('addresses of the app in a Chromium without its scheme', () => {
  const urls = createPageUrls();
  urls.addScheme('app');

  test.each([
    ['app://desk/', 'https://desk.app.invalid/'],
    ['app://desk/assets/x.js?y=1#/uploads', 'https://desk.app.invalid/assets/x.js?y=1#/uploads'],
    ['blob:app://desk/1-2', 'blob:https://desk.app.invalid/1-2'],
  ])('%s has one of its own, and is found again', (app, page) => {
    expect(urls.toPage(app)).toBe(page);
    expect(urls.toApp(page)).toBe(app);
  });

  test.each([
    'https://evil.example/?https://desk.app.invalid/',
    'https://desk.app.invalid.evil.example/',
    'https://desk.app.invalidx/',
    'http://desk.app.invalid/',
    'about:blank',
  ])('%s is not taken for one', (url) => {
    expect(urls.toApp(url)).toBe(url);
  });

  test('a policy that names the app’s origin names the page’s', () => {
    expect(urls.textToPage("default-src 'self' app://desk")).toBe(
      "default-src 'self' https://desk.app.invalid",
    );
  });
});
