import type { PolicySetting } from './policy-settings.ts';
import { escapeXml, XML_HEAD } from './xml.ts';

/** Of the sample alone: a real profile has its own. */
const PROFILE_ID = '5b7c1c38-6f0e-4b3c-9d0f-0d8a3f1f7b11';
const PAYLOAD_ID = 'a0c2a1de-1b39-4c0e-8a55-64d7f1d8c902';
/** In the samples these are defaults that a person may change. */
const recommended = new Set(['upload.concurrentFiles', 'upload.concurrentParts']);

/** A policy for Linux with every setting in it: to be cut down to what is wanted. */
export function makePolicyJson(settings: readonly PolicySetting[]): string {
  const policy = { managed: group(settings, false), recommended: group(settings, true) };
  return `${JSON.stringify(policy, undefined, 2)}\n`;
}

/** A profile for macOS, likewise. */
export function makeMobileConfig(settings: readonly PolicySetting[]): string {
  const values = { ...group(settings, false), Recommended: group(settings, true) };
  const payload = {
    PayloadType: 'com.vms-export-agent',
    PayloadIdentifier: 'com.vms-export-agent.policy.settings',
    PayloadUUID: PAYLOAD_ID,
    PayloadVersion: 1,
    ...values,
  };
  const profile = {
    PayloadDisplayName: 'VMS Export Agent',
    PayloadType: 'Configuration',
    PayloadIdentifier: 'com.vms-export-agent.policy',
    PayloadScope: 'System',
    PayloadUUID: PROFILE_ID,
    PayloadVersion: 1,
    PayloadContent: [payload],
  };
  return `${XML_HEAD}
<!-- Made by \`npm run policies\`: every setting with a sample value. Cut it down to what is wanted. -->
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
${plist(profile, '  ')}
</plist>
`;
}

type Group = { [name: string]: unknown };

function group(settings: readonly PolicySetting[], isRecommended: boolean): Group {
  const root: Group = {};
  for (const { path, example } of settings.filter((each) => recommended.has(each.path) === isRecommended)) {
    const [last = path, ...above] = path.split('.').toReversed();
    let here = root;
    for (const step of above.toReversed()) {
      const next = here[step];
      const inner: Group = isGroup(next) ? next : {};
      here[step] = inner;
      here = inner;
    }
    here[last] = example;
  }
  return root;
}

const isGroup = (value: unknown): value is Group =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function plist(value: unknown, indent: string): string {
  if (typeof value === 'boolean') return `${indent}<${value}/>`;
  if (typeof value === 'number') return `${indent}<integer>${value}</integer>`;
  if (Array.isArray(value))
    return `${indent}<array>\n${value.map((each) => plist(each, `${indent}  `)).join('\n')}\n${indent}</array>`;
  if (!isGroup(value)) return `${indent}<string>${escapeXml(String(value))}</string>`;
  const inner = Object.entries(value).map(
    ([key, each]) => `${indent}  <key>${escapeXml(key)}</key>\n${plist(each, `${indent}  `)}`,
  );
  return `${indent}<dict>\n${inner.join('\n')}\n${indent}</dict>`;
}
