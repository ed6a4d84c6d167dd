import { expect, it } from 'vitest';
import { fitsOf, readClipName } from '../../../../../electron/agent/core/naming/read-clip-name.ts';
import type { PathShape, Recogniser } from '../../../../../electron/agent/core/naming/recogniser.ts';
import { recognisers, systems } from '../../../../../electron/agent/core/naming/recognisers.ts';
import { readersOf, readPath, readUnseen } from '../../../../formats/measure.ts';

const EAST = 'Asia/Kathmandu';

/** A system with one deliberate mistake. */
interface Mutant {
  readonly what: string;
  readonly broken: Partial<Recogniser>;
}

const replaced = (shapes: readonly PathShape[], at: number, shape: PathShape): readonly PathShape[] =>
  shapes.map((each, index) => (index === at ? shape : each));

/** Whether a shape reads times without a zone; only those change when the clock does. */
function hasClock(system: Recogniser, shape: PathShape): boolean {
  const fits = system.samples.flatMap(({ path }) => {
    const parts = ['Incident 12', ...path.split('/')];
    return fitsOf([system], parts, parts.length - 1).filter((fit) => fit.shape === shape);
  });
  return (
    fits.length === 0 ||
    fits.some(({ fields: { start, end } }) => [start, end].some((time) => time?.kind === 'wall'))
  );
}

function mutantsOf(system: Recogniser): readonly Mutant[] {
  const { shapes, clock, isNoCamera } = system;
  const dropped = shapes.map((_, at) => ({
    what: `shape ${at} is gone`,
    broken: { shapes: shapes.filter((_shape, index) => index !== at) },
  }));
  const nameless = shapes.flatMap((shape, at) =>
    shape.parts.flatMap((part, place) =>
      [...part.source.matchAll(/\(\?<(\w+)>/g)].map(([group, name]) => {
        const parts = shape.parts.with(place, new RegExp(part.source.replace(group, '(?:'), part.flags));
        return {
          what: `shape ${at} loses the group ${name}`,
          broken: { shapes: replaced(shapes, at, { ...shape, parts }) },
        };
      }),
    ),
  );
  const clocks = shapes.flatMap((shape, at) => {
    if (!hasClock(system, shape)) return [];
    const other = (shape.clock ?? clock) === 'utc' ? ('local' as const) : ('utc' as const);
    return {
      what: `shape ${at} has another clock`,
      broken: { shapes: replaced(shapes, at, { ...shape, clock: other }) },
    };
  });
  const { isNoCamera: _isNoCamera, ...ofCamera } = system;
  const cameras = isNoCamera === true ? [{ what: 'its folder may be a camera', broken: ofCamera }] : [];
  return [...dropped, ...nameless, ...clocks, ...cameras];
}

/** What is read from a sample, with its times in an eastern zone. */
function saidOf(path: string): object {
  // Its first folder may be that of the incident
  const alone = readClipName(path, { profile: 'auto', timeZone: EAST, clockOffsetSeconds: 0 });
  return [readPath(path, EAST), alone].map((reading) => {
    const { cameraName, channel, device, recorder, isNoCamera, startedAt, endedAt } = reading ?? {};
    return {
      cameraName,
      channel,
      device,
      recorder,
      isNoCamera,
      start: startedAt?.value,
      end: endedAt?.value,
    };
  });
}

/** Whether the samples, the refusals or the printed names of a system reveal that it is broken. */
function isNoticed(system: Recogniser, before: ReadonlyMap<string, string>): boolean {
  const reads = ({ path }: { readonly path: string }): boolean =>
    readersOf(path).join() !== system.name || JSON.stringify(saidOf(path)) !== before.get(path);
  return (
    system.samples.some(reads) ||
    system.refuses.some((path) => readersOf(path).includes(system.name)) ||
    readUnseen(system, 30, 11).faults.length > 0
  );
}

it.each(systems.map((system) => [system.name, system] as const))(
  '%s broken in one place is noticed by its own samples, refusals or printed names',
  (_name, system) => {
    const before = new Map(system.samples.map(({ path }) => [path, JSON.stringify(saidOf(path))]));
    expect(isNoticed(system, before)).toBe(false);
    const whole = { ...system };
    const survivors = mutantsOf(system).filter(({ broken }) => {
      Object.assign(system, broken);
      if ('samples' in broken) Reflect.deleteProperty(system, 'isNoCamera');
      try {
        return !isNoticed(system, before);
      } finally {
        Object.assign(system, whole);
      }
    });
    expect(survivors.map(({ what }) => what)).toEqual([]);
  },
);

const msOf = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Date.parse(text.endsWith('Z') ? text : `${text}Z`);

it.each(
  recognisers.flatMap(({ name, samples }) => samples.map((sample) => [name, sample.path, sample] as const)),
)('%s reads %s as docs/formats.md says', (name, path, { expect: { start, end, ...fields } }) => {
  const reading = readPath(path);
  expect(reading?.profile).toBe(name);
  const { cameraName, channel, device, recorder, startedAt, endedAt } = reading ?? {};
  expect({ cameraName, channel, device, recorder, start: startedAt?.value, end: endedAt?.value }).toEqual({
    ...{ cameraName: undefined, channel: undefined, device: undefined, recorder: undefined },
    ...fields,
    ...{ start: msOf(start), end: msOf(end) },
  });
});
