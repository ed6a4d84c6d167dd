import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { createAskPerson } from '../../../electron/cli/ask-person.ts';

function terminal() {
  const input = new PassThrough();
  const asked: string[] = [];
  const stop = new AbortController();
  const ask = createAskPerson(input, (text) => void asked.push(text));
  return { input, asked, stop, answer: (question: string) => ask(question, stop.signal) };
}

test('asks once and answers with the line that was typed', async () => {
  const { input, asked, answer } = terminal();
  const answered = answer('Name: ');
  input.write('Ada Love');
  input.write('lace\nand more\n');
  expect(await answered).toBe('Ada Lovelace');
  expect(asked).toEqual(['Name: ']);
});

test('has no answer when the input ends or a signal comes, before or meanwhile', async () => {
  const ended = terminal();
  const noLine = ended.answer('Name: ');
  ended.input.end();
  expect(await noLine).toBeUndefined();
  expect(ended.asked).toEqual(['Name: ', '\n']);

  const stopped = terminal();
  const noAnswer = stopped.answer('Name: ');
  stopped.stop.abort();
  expect(await noAnswer).toBeUndefined();
  expect(await stopped.answer('Again: ')).toBeUndefined();
});
