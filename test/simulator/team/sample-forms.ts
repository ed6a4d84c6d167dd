import type { Chooser } from './chooser.ts';
import type { ListedAction } from './team.ts';

type Kind = ListedAction['classification'];
type Template = readonly [sub: string, formType: string, fields: readonly string[]];

/** Templates of what is reported at a venue, by kind, each with its form and the form's fields. */
export const templates: Readonly<Record<Kind, readonly Template[]>> = {
  Incident: [
    ['Medical', 'Medical report', ['severity', 'location', 'department', 'outcome']],
    ['Crowd density', 'Crowd report', ['severity', 'location', 'affected_area', 'priority']],
    ['Ejection', 'Incident report', ['location', 'severity', 'reported_by', 'outcome']],
    ['Lost child', 'Safeguarding report', ['location', 'priority', 'reported_by']],
    ['Fire alarm', 'Incident report', ['location', 'severity', 'affected_area']],
  ],
  Task: [
    ['Cleaning', 'Work order', ['location', 'department', 'priority']],
    ['Maintenance', 'Work order', ['location', 'department', 'budget', 'priority']],
    ['Escort', 'Task', ['location', 'priority']],
  ],
  Request: [
    ['Catering', 'Purchase request', ['department', 'budget', 'priority', 'Kostenstelle']],
    ['Radio', 'IT request', ['department', 'location', 'priority']],
    ['Access', 'Access request', ['department', 'reported_by', 'Kostenstelle']],
  ],
  Checklist: [
    ['Pre-event', 'Opening checklist', ['location', 'checked_items', 'department']],
    ['Egress', 'Egress checklist', ['location', 'checked_items']],
    // A form field may have the name of a property of the action
    ['Radio check', 'Radio checklist', ['checked_items', 'channel']],
  ],
};

const values: Readonly<Record<string, readonly (readonly string[])[]>> = {
  severity: [['Low'], ['Medium'], ['High'], ['Critical']],
  priority: [['Low'], ['Normal'], ['High'], ['Urgent']],
  location: [
    ['Block 107'],
    ['Gate C, turnstile 14'],
    ['East concourse'],
    ['北看台'],
    ['Tunnel', 'Pitch side'],
    ['البوابة ٣'],
  ],
  department: [
    ['Stewarding'],
    ['Facilities'],
    ['Medical'],
    ['IT'],
    ['Hospitality', 'Catering'],
    ['Gäste & Presse'],
  ],
  budget: [['0.00'], ['1,250.00 EUR'], ['85.50 GBP'], ['-120.00 GBP']],
  affected_area: [['Lower tier'], ['Upper tier', 'Stairs 4 to 6'], ['Concourse']],
  outcome: [
    ['Treated on site'],
    ['Taken to hospital'],
    ['Handed to police'],
    ['No further action.\nSeen again at 20:15.'],
  ],
  reported_by: [['Steward 114'], ['Public'], ['CCTV'], ['<script>alert("form")</script>']],
  checked_items: [
    ['Doors', 'Lights', 'Signs'],
    ['Doors'],
    ['Radios', 'Batteries', 'Spare radios', 'Call signs'],
  ],
  channel: [['Channel 3'], ['Channel 5', 'Channel 7']],
  Kostenstelle: [['4711-08'], ['=1+1'], ['+49 30 1']],
};

/** The contents of one form: most fields are filled in, some are empty, some are missing. */
export function fillForm(
  fields: readonly string[],
  choose: Chooser,
): Readonly<Record<string, readonly string[]>> {
  const there = fields.filter(() => choose.chance(0.8));
  return Object.fromEntries(
    there.map((field) => [field, choose.chance(0.06) ? [] : choose.pick(values[field] ?? [[]])]),
  );
}
