import type { Failure } from '../../shared/domain/failure.ts';
import { formatDuration } from '../../shared/lib/duration.ts';
import { probeService, type AgentConfig, type Ports, type Probe } from '../agent/index.ts';
import type { CheckLine, CheckName } from './needs.ts';

/** Difference of the clocks from which a person is told, milliseconds (decisions row 27). */
const WARN_SKEW_MS = 60_000;

/** Asks the service three harmless questions: lines `service`, `permission` and `clock`. */
export async function checkService(config: AgentConfig, ports: Ports): Promise<readonly CheckLine[]> {
  const { users, periods, video } = await probeService(config, ports);
  const { baseUrl } = config.settings;
  const service = serviceLine(baseUrl, [users, periods], video);
  const clock = clockLine([users, periods, video]);
  return service.state === 'ok' ? [service, permissionLine(video), clock] : [service, clock];
}

function serviceLine(baseUrl: string, open: readonly Probe[], video: Probe): CheckLine {
  const answered = [...open, video].filter(({ answer }) => answer.ok).map(({ what }) => what);
  // A key for video only: the rest is refused, but an unknown incident is told to be unknown
  const isVideoOnly = codeOf(video) === 'NOT_FOUND' && open.some(isRefused);
  if (isVideoOnly) answered.push(video.what);
  if (answered.length > 0)
    return { name: 'service', state: 'ok', text: `${baseUrl} answers: ${answered.join(', ')}.` };
  const first = [...open, video].flatMap(({ answer }) => (answer.ok ? [] : [answer.error]))[0];
  return first === undefined ? { name: 'service', state: 'failed', text: baseUrl } : failed('service', first);
}

function permissionLine(video: Probe): CheckLine {
  if (video.answer.ok || codeOf(video) === 'NOT_FOUND')
    return { name: 'permission', state: 'ok', text: 'The key may use the video endpoints.' };
  const { error } = video.answer;
  if (!isRefused(video)) return failed('permission', error);
  return failed('permission', {
    ...error,
    code: 'VIDEO_PERMISSION_MISSING',
    message: `This key lacks the video permission (${error.message.replace(/\.$/, '')}).`,
    advice: 'Ask the operator of the service to add it; uploads wait and nothing is lost.',
  });
}

function clockLine(probes: readonly Probe[]): CheckLine {
  const skewMs = probes.find((each) => each.skewMs !== undefined)?.skewMs;
  if (skewMs === undefined) return { name: 'clock', state: 'skipped', text: 'The service told no time.' };
  // The header has whole seconds, and the answer was under way
  if (Math.abs(skewMs) <= WARN_SKEW_MS)
    return { name: 'clock', state: 'ok', text: `Within ${formatDuration(WARN_SKEW_MS)} of the service's.` };
  const direction = skewMs > 0 ? 'behind' : 'ahead of';
  const text = `This clock is ${formatDuration(Math.abs(skewMs))} ${direction} the service's; set it.`;
  return { name: 'clock', state: 'warning', text };
}

const isRefused = (probe: Probe): boolean =>
  codeOf(probe) === 'KEY_REFUSED' || codeOf(probe) === 'PERMISSION_MISSING';

const codeOf = ({ answer }: Probe): string | undefined => (answer.ok ? undefined : answer.error.code);

const failed = (name: CheckName, failure: Failure): CheckLine => ({
  name,
  state: 'failed',
  text: failure.message,
  failure,
});
