import { render } from '@testing-library/react';
import { expect, it } from 'vitest';
import { SafeName } from '../../../../renderer/ui/safe-name.tsx';

it.each([
  ['Gate 4_20260501.mp4', ['Gate 4_20260501.mp4']],
  ['Gate 4 North_20260501_193005.mp4', ['Gate 4 North_2026050', '1_193005.mp4']],
  // When it was cut in half, its date was read as 12026050
  ['كاميرا 3_20260501_193003.mp4', ['كاميرا 3_', '20260501_193003.mp4']],
  ['كاميرا البوابة_20260501_193003.mpeg', ['كاميرا البوابة_20260501', '_193003.mpeg']],
])('shows all of %j, and its end where there is little room', (name, parts) => {
  const { container } = render(<SafeName name={name} cut />);
  const bdi = container.querySelector('bdi');
  const spans = [...(bdi?.children ?? [])];
  expect((spans.length === 0 ? [bdi] : spans).map((part) => part?.textContent)).toEqual(parts);
});
