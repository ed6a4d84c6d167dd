const VERSION = /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})(?:-([0-9A-Za-z.-]{1,60}))?$/;

interface Version {
  readonly numbers: readonly number[];
  readonly stage: readonly string[];
}

/** Whether `offered` is a later version than `installed` by the rules of semver.org. What is no version is never newer. */
export function isNewerVersion(offered: string, installed: string): boolean {
  const [one, other] = [parse(offered), parse(installed)];
  return one !== undefined && other !== undefined && compare(one, other) > 0;
}

function parse(text: string): Version | undefined {
  const found = VERSION.exec(text);
  if (found === null) return undefined;
  const [, ...parts] = found;
  return { numbers: parts.slice(0, 3).map(Number), stage: parts[3]?.split('.') ?? [] };
}

function compare(one: Version, other: Version): number {
  for (const [index, number] of one.numbers.entries()) {
    const difference = number - (other.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  // A version without a stage comes after all its stages
  if (one.stage.length === 0 || other.stage.length === 0) return other.stage.length - one.stage.length;
  for (const [index, part] of one.stage.entries()) {
    const before = other.stage[index];
    if (before === undefined) return 1;
    const difference = compareParts(part, before);
    if (difference !== 0) return difference;
  }
  return one.stage.length - other.stage.length;
}

function compareParts(one: string, other: string): number {
  const [isNumber, wasNumber] = [/^\d+$/.test(one), /^\d+$/.test(other)];
  if (isNumber && wasNumber) return Number(one) - Number(other);
  if (isNumber !== wasNumber) return isNumber ? -1 : 1;
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
