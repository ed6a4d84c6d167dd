import type { Failure } from '../../shared/domain/failure.ts';
import type {
  DesktopEvent,
  DesktopOrderArguments,
  DesktopOrderName,
  DesktopOrderOutput,
} from '../../shared/ipc/desktop.ts';
import type { Result } from '../../shared/lib/result.ts';

/** The app's one window, as far as the modules beside it need it. */
export interface MainWindow {
  /** Shows it, takes it out of the dock or task bar, and gives it the keyboard. Opens it again when it was closed. */
  bringToFront(): void;
  hide(): void;
  isFocused(): boolean;
  /** Tells the page; kept for it while it is not there yet. */
  tell(event: DesktopEvent): void;
}

/** Answers one order whose input was checked. Rejects only for bugs. */
export type DesktopOrder<Name extends DesktopOrderName> = (
  input: DesktopOrderArguments<Name>,
) => Promise<Result<DesktopOrderOutput<Name>, Failure>>;

/** A handler for each order of shared/ipc/desktop.ts: leaving one out is a type error. */
export type DesktopOrders = { readonly [Name in DesktopOrderName]: DesktopOrder<Name> };

/** A question that the system asks: words that are safe to show, and the answers in their order. */
export interface Question {
  readonly kind: 'question' | 'warning' | 'error';
  readonly message: string;
  readonly detail: string;
  readonly buttons: readonly string[];
  /** Index of the answer that Enter gives. */
  readonly usual: number;
  /** Index of the answer that Escape and closing give. */
  readonly cancel: number;
}

/** The system's dialogs, above the window while there is one. */
export interface NativeDialogs {
  /** Index of the chosen button. */
  ask(question: Question, signal?: AbortSignal): Promise<number>;
  /** Absolute path of a folder, or undefined when the dialog was left. */
  chooseFolder(): Promise<string | undefined>;
  /** Absolute path for a file to be written; the dialog itself asks before one is replaced. */
  chooseSavePlace(name: string): Promise<string | undefined>;
}
