import type { ReactNode } from 'react';

/** Fields of which Enter sends all; the button that does the same stands outside and names the form. */
export function UserFormBody({
  id,
  onSubmit,
  children,
}: {
  readonly id: string;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <form
      id={id}
      noValidate
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
    </form>
  );
}
