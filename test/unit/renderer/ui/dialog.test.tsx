import { screen, waitFor } from '@testing-library/react';
import { useState, type ReactNode } from 'react';
import { expect, it } from 'vitest';
import { Button } from '../../../../renderer/ui/button.tsx';
import { useFocusKept } from '../../../../renderer/ui/dialog.tsx';
import { showPart } from '../show-part.tsx';

/** A list whose rows remove themselves, and a button that adds one. */
function Lines(): ReactNode {
  const [lines, setLines] = useState(['A', 'B']);
  const add = useFocusKept<HTMLDivElement>(lines.length);
  return (
    <>
      {lines.map((line) => (
        <Button key={line} onPress={() => setLines(lines.filter((each) => each !== line))}>
          Remove {line}
        </Button>
      ))}
      <input aria-label="Other" onChange={() => setLines([])} />
      <div ref={add}>
        <Button onPress={() => setLines([...lines, 'C'])}>Add</Button>
      </div>
    </>
  );
}

it('the keyboard goes on where something was removed, and stays where it was if that is still there', async () => {
  const { user } = await showPart(<Lines />);
  await user.click(screen.getByRole('button', { name: 'Remove B' }));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add' })));
  const other = screen.getByLabelText('Other');
  await user.type(other, 'x');
  expect(screen.queryByRole('button', { name: 'Remove A' })).toBeNull();
  expect(document.activeElement).toBe(other);
});
