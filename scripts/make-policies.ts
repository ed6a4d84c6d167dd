/** Writes build/policies from the settings: `npm run policies`, after a setting was added or changed. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { policySettings, type PolicyKind, type PolicySetting } from './policies/policy-settings.ts';

/** All files of build/policies, by their path there. */
export function policyFiles(): ReadonlyMap<string, string> {
  const settings = policySettings();
  // Windows tools only read these with CRLF line endings.
  const forWindows = (text: string): string => text.replaceAll('\n', '\r\n');
  return new Map([
    ['windows/vms-export-agent.admx', forWindows(makeAdmx(settings))],
    ['windows/en-US/vms-export-agent.adml', forWindows(makeAdml(settings))],
    ['macos/vms-export-agent.mobileconfig', makeMobileConfig(settings)],
    ['linux/policy.json', makePolicyJson(settings)],
  ]);
}

const KEY = String.raw`SOFTWARE\Policies\VmsExportAgent`;

const NAMESPACE = 'VmsExportAgent.Policies';

/** Maximum length of a text: enough for a list of 64 folders. */
const MOST_TEXT = 16_384;

/** Managed settings cannot be changed on the PC; recommended ones are only its defaults. */
const levels = [
  { suffix: '', key: KEY, category: 'Managed' },
  { suffix: '_recommended', key: String.raw`${KEY}\Recommended`, category: 'Recommended' },
] as const;

/** The settings offered at a level: where signed policies come from cannot be merely recommended. */
const at = (
  { suffix }: (typeof levels)[number],
  settings: readonly PolicySetting[],
): readonly PolicySetting[] =>
  settings.filter(({ path }) => suffix === '' || !path.startsWith('signedPolicy.'));

const idOf = (path: string): string => path.replaceAll('.', '_');

/** The policy definitions for Windows: the registry values they write. */
function makeAdmx(settings: readonly PolicySetting[]): string {
  const policies = levels.flatMap((level) => at(level, settings).map((setting) => policy(setting, level)));
  return `${XML_HEAD}
<!-- Made by \`npm run policies\`. -->
<policyDefinitions xmlns="http://schemas.microsoft.com/GroupPolicy/2006/07/PolicyDefinitions" revision="1.0" schemaVersion="1.0">
  <policyNamespaces>
    <target prefix="vmsexportagent" namespace="${NAMESPACE}"/>
    <using prefix="windows" namespace="Microsoft.Policies.Windows"/>
  </policyNamespaces>
  <resources minRequiredRevision="1.0"/>
  <supportedOn>
    <definitions>
      <definition name="SUPPORTED" displayName="$(string.SUPPORTED)"/>
    </definitions>
  </supportedOn>
  <categories>
    <category name="VmsExportAgent" displayName="$(string.VmsExportAgent)"/>
    <category name="Managed" displayName="$(string.Managed)"><parentCategory ref="VmsExportAgent"/></category>
    <category name="Recommended" displayName="$(string.Recommended)"><parentCategory ref="VmsExportAgent"/></category>
  </categories>
  <policies>
${policies.join('\n')}
  </policies>
</policyDefinitions>
`;
}

function policy({ path, value }: PolicySetting, { suffix, key, category }: (typeof levels)[number]): string {
  const id = idOf(path);
  const own = value.kind === 'switch';
  const presentation = own ? '' : ` presentation="$(presentation.${id}${suffix})"`;
  const valueName = own ? ` valueName="${path}"` : '';
  const body = own
    ? '      <enabledValue><decimal value="1"/></enabledValue>\n      <disabledValue><decimal value="0"/></disabledValue>'
    : `      <elements>${element(id, path, value)}</elements>`;
  return `    <policy name="${id}${suffix}" class="Both" displayName="$(string.${id})" explainText="$(string.${id}_explain)" key="${key}"${valueName}${presentation}>
      <parentCategory ref="${category}"/>
      <supportedOn ref="SUPPORTED"/>
${body}
    </policy>`;
}

function element(id: string, path: string, value: Exclude<PolicyKind, { kind: 'switch' }>): string {
  const names = `id="${id}" valueName="${path}"`;
  switch (value.kind) {
    case 'number':
      return `<decimal ${names} required="true" minValue="${value.least}" maxValue="${value.most}"/>`;
    case 'choice': {
      const items = value.values.map(
        (each) =>
          `<item displayName="$(string.${id}_${each})"><value><string>${each}</string></value></item>`,
      );
      return `<enum ${names} required="true">${items.join('')}</enum>`;
    }
    case 'lines':
      return `<multiText ${names} required="true" maxLength="${MOST_TEXT}"/>`;
    case 'text':
    case 'json':
      return `<text ${names} required="true" maxLength="${MOST_TEXT}"/>`;
  }
}

/** The texts of the policies. */
function makeAdml(settings: readonly PolicySetting[]): string {
  const strings = settings.flatMap(({ path, title, explain, value }) => [
    text(idOf(path), title),
    text(`${idOf(path)}_explain`, explain),
    ...(value.kind === 'choice' ? value.values.map((each) => text(`${idOf(path)}_${each}`, each)) : []),
  ]);
  const shown = settings.filter(({ value }) => value.kind !== 'switch');
  const presentations = levels.flatMap((level) =>
    at(level, shown).map((setting) => presentation(setting, level.suffix)),
  );
  return `${XML_HEAD}
<!-- Made by \`npm run policies\`. -->
<policyDefinitionResources xmlns="http://schemas.microsoft.com/GroupPolicy/2006/07/PolicyDefinitions" revision="1.0" schemaVersion="1.0">
  <displayName>VMS Export Agent</displayName>
  <description>Settings of VMS Export Agent</description>
  <resources>
    <stringTable>
${[
  text('SUPPORTED', 'VMS Export Agent 0.1 and later'),
  text('VmsExportAgent', 'VMS Export Agent'),
  text('Managed', 'Settings that cannot be changed on the PC'),
  text('Recommended', 'Defaults that can be changed on the PC'),
  ...strings,
].join('\n')}
    </stringTable>
    <presentationTable>
${presentations.join('\n')}
    </presentationTable>
  </resources>
</policyDefinitionResources>
`;
}

const text = (id: string, words: string): string => `      <string id="${id}">${escapeXml(words)}</string>`;

function presentation({ path, title, value }: PolicySetting, suffix: string): string {
  const id = idOf(path);
  const label = escapeXml(title);
  const control = {
    number: `<decimalTextBox refId="${id}">${label}</decimalTextBox>`,
    choice: `<dropdownList refId="${id}" noSort="true" defaultItem="0">${label}</dropdownList>`,
    lines: `<multiTextBox refId="${id}" defaultHeight="6">${label}</multiTextBox>`,
    text: `<textBox refId="${id}"><label>${label}</label></textBox>`,
    json: `<textBox refId="${id}"><label>${label}</label></textBox>`,
    switch: '',
  }[value.kind];
  return `      <presentation id="${id}${suffix}">${control}</presentation>`;
}

/** For the sample only: a real profile has its own. */
const PROFILE_ID = '5b7c1c38-6f0e-4b3c-9d0f-0d8a3f1f7b11';

const PAYLOAD_ID = 'a0c2a1de-1b39-4c0e-8a55-64d7f1d8c902';

/** In the samples, these are defaults that the user may change. */
const recommended = new Set(['upload.concurrentFiles', 'upload.concurrentParts']);

/** A policy for Linux with every setting, to be cut down to the ones wanted. */
function makePolicyJson(settings: readonly PolicySetting[]): string {
  const policy = { managed: group(settings, false), recommended: group(settings, true) };
  return `${JSON.stringify(policy, undefined, 2)}\n`;
}

/** A profile for macOS, likewise. */
function makeMobileConfig(settings: readonly PolicySetting[]): string {
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

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes text for elements and attributes. */
const escapeXml = (text: string): string => text.replaceAll(/[&<>"]/g, (one) => ESCAPES[one] ?? one);

const XML_HEAD = '<?xml version="1.0" encoding="utf-8"?>';

if (import.meta.main) {
  for (const [path, text] of policyFiles()) {
    const file = join('build/policies', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    console.log(file);
  }
}
