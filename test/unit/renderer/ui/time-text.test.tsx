import { screen } from '@testing-library/react';
import { useState, type ReactNode } from 'react';
import { expect, it } from 'vitest';
import { ShortTime } from '../../../../renderer/ui/time-text.tsx';
import { showPart } from '../show-part.tsx';

it('a time in a list is read whole where the pointer rests, also after another one took its place', async () => {
  function Part(): ReactNode {
    const [year, setYear] = useState(2025);
    return (
      <>
        <ShortTime value={`${year}-05-01T19:30:05Z`} />
        <button type="button" onClick={() => setYear(2024)}>
          Scroll
        </button>
      </>
    );
  }
  const { user } = await showPart(<Part />);
  const time = () => screen.getByRole('time');
  expect(time().title).toBe('');
  await user.hover(time());
  expect(time().title).toMatch(/2025.* (GMT|UTC)/);
  await user.click(screen.getByRole('button'));
  expect(time().title).toBe('');
  await user.hover(time());
  expect(time().title).toMatch(/2024.* (GMT|UTC)/);
});
