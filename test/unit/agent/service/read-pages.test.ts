import { describe, expect, it } from 'vitest';
import { readPages, type ListPage, type Query } from '../../../../electron/agent/service/read-pages.ts';
import { failureOf } from '../../../helpers/queue-fixture.ts';

type Item = { readonly id: number };
const nextOf = (page: number): Query => [['page', String(page)]];

async function read(tell: (page: number) => ListPage<Item>) {
  const asked: (Query | undefined)[] = [];
  const result = await readPages<Item>('Get things', async (query) => {
    asked.push(query);
    return { ok: true, value: tell(asked.length) };
  });
  return { result, asked };
}

describe('readPages', () => {
  it('asks the first page without parameters, and the next by what the last one says', async () => {
    const { result, asked } = await read((page) => ({
      items: [{ id: page }],
      next: page < 3 ? nextOf(page * 10) : undefined,
    }));
    expect(result).toEqual({ ok: true, value: [{ id: 1 }, { id: 2 }, { id: 3 }] });
    expect(asked).toEqual([undefined, nextOf(10), nextOf(20)]);
  });

  it('keeps what one page lists twice, and drops what an earlier page had', async () => {
    const { result } = await read((page) => ({
      items: page === 1 ? [{ id: 1 }, { id: 1 }] : [{ id: 1 }, { id: 2 }],
      next: page === 1 ? nextOf(2) : undefined,
    }));
    expect(result).toEqual({ ok: true, value: [{ id: 1 }, { id: 1 }, { id: 2 }] });
  });

  it('gives up a list that goes on after 10,000 pages', async () => {
    const { result, asked } = await read((page) => ({ items: [{ id: page }], next: nextOf(page) }));
    expect(result).toMatchObject({ ok: false, error: { code: 'API_PAGING' } });
    expect(asked).toHaveLength(10_000);
  });

  it.each([
    ['a next page elsewhere', (): ListPage<Item> => ({ items: [{ id: 1 }], next: 'elsewhere' }), 1],
    [
      'a last page that repeats the first',
      (page): ListPage<Item> => ({ items: [{ id: 1 }], next: page === 1 ? nextOf(2) : undefined }),
      2,
    ],
  ] satisfies [string, (page: number) => ListPage<Item>, number][])(
    'gives up at %s',
    async (_what, tell, pages) => {
      const { result, asked } = await read(tell);
      expect(result).toMatchObject({ ok: false, error: { code: 'API_PAGING' } });
      expect(asked).toHaveLength(pages);
    },
  );

  it('answers the failure of a page', async () => {
    const failure = failureOf('SERVICE_FAULT');
    expect(await readPages('Get things', async () => ({ ok: false, error: failure }))).toEqual({
      ok: false,
      error: failure,
    });
  });
});
