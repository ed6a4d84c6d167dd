import { cameraPrinters } from './camera-printers.ts';
import type { Printer } from './printing.ts';
import { recorderPrinters } from './recorder-printers.ts';

export const printers: Readonly<Record<string, readonly Printer[]>> = {
  ...recorderPrinters,
  ...cameraPrinters,
};
