import { makeAdml, makeAdmx } from './make-admx.ts';
import { makeMobileConfig, makePolicyJson } from './make-samples.ts';
import { policySettings } from './policy-settings.ts';

/** Every file of build/policies, by its path there. */
export function policyFiles(): ReadonlyMap<string, string> {
  const settings = policySettings();
  // The tools of Windows read these with their own line ends only.
  const forWindows = (text: string): string => text.replaceAll('\n', '\r\n');
  return new Map([
    ['windows/vms-export-agent.admx', forWindows(makeAdmx(settings))],
    ['windows/en-US/vms-export-agent.adml', forWindows(makeAdml(settings))],
    ['macos/vms-export-agent.mobileconfig', makeMobileConfig(settings)],
    ['linux/policy.json', makePolicyJson(settings)],
  ]);
}
