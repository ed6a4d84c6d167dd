import type { PolicyKind, PolicySetting } from './policy-settings.ts';
import { escapeXml, XML_HEAD } from './xml.ts';

const KEY = String.raw`SOFTWARE\Policies\VmsExportAgent`;
const NAMESPACE = 'VmsExportAgent.Policies';
/** A list of 64 folders fits. */
const MOST_TEXT = 16_384;

/** Managed settings cannot be changed on the PC; recommended ones are the defaults there. */
const levels = [
  { suffix: '', key: KEY, category: 'Managed' },
  { suffix: '_recommended', key: String.raw`${KEY}\Recommended`, category: 'Recommended' },
] as const;

const idOf = (path: string): string => path.replaceAll('.', '_');

/** The policies for Windows: which values they write into the registry. */
export function makeAdmx(settings: readonly PolicySetting[]): string {
  const policies = levels.flatMap((level) => settings.map((setting) => policy(setting, level)));
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

/** The words of the policies. */
export function makeAdml(settings: readonly PolicySetting[]): string {
  const strings = settings.flatMap(({ path, title, explain, value }) => [
    text(idOf(path), title),
    text(`${idOf(path)}_explain`, explain),
    ...(value.kind === 'choice' ? value.values.map((each) => text(`${idOf(path)}_${each}`, each)) : []),
  ]);
  const shown = settings.filter(({ value }) => value.kind !== 'switch');
  const presentations = levels.flatMap(({ suffix }) => shown.map((setting) => presentation(setting, suffix)));
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
