import { csvText } from '../../shared/lib/csv-text.ts';
import { useServices } from '../stores/services.ts';

/** How long the browser has to start saving, milliseconds: the object URL keeps the bytes in memory. */
const KEEP_MS = 60_000;

/** Saves a text under the proposed name. */
export type SaveFile = (name: string, type: string, text: string) => Promise<Saved>;
/** The outcome of saving; `left`: cancelled or failed. A browser does not report the choice in its dialog. */
export type Saved = 'saved' | 'handed over' | 'left';

/** How to save texts here: with the system's dialog on a desktop, otherwise through the browser. Failures are shown. */
export function useSaveFile(): SaveFile {
  const { bridge, notices } = useServices();
  return async (name, type, text) => {
    if (bridge.desktop === undefined) {
      handOver(name, type, text);
      return 'handed over';
    }
    const answer = await bridge.desktop.order('saveText', { name, text });
    if (answer.ok) return answer.value.isSaved ? 'saved' : 'left';
    const { message, advice } = answer.error;
    notices.show({ level: 'failure', text: `${message} ${advice}` });
    return 'left';
  };
}

type Rows = Parameters<typeof csvText>[0];

/** Saves a table as a CSV file; `nameOf` gets today's date in UTC ("2026-05-01"). */
export function useSaveCsv(): (nameOf: (day: string) => string, rows: Rows) => Promise<Saved> {
  const { clock } = useServices();
  const saveFile = useSaveFile();
  return (nameOf, rows) =>
    saveFile(nameOf(new Date(clock.now()).toISOString().slice(0, 10)), 'text/csv', csvText(rows));
}

function handOver(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), KEEP_MS);
}
