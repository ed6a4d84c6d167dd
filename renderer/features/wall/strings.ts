/** Strings of the wall screen: shown large, so there are few. */
export const wallStrings = {
  title: 'Wall screen',
  leave: 'Leave the wall screen',
  fine: 'No clips waiting',
  sending: 'Uploading',
  stopped: { desk: 'Disk problem', service: 'Service problem', storage: 'Storage problem' },
  folders_one: '{{count}} watched folder needs attention',
  folders_other: '{{count}} watched folders need attention',
  lost: 'No response from the agent',
  lastSent: 'Last sent',
  lastSentIn: 'Last sent ({{zone}})',
  never: 'Never',
  since: 'since {{time}}',
  ago: '{{age}} ago',
  failedCode_one: '{{count}} clip failed ({{code}})',
  failedCode_other: '{{count}} clips failed ({{code}})',
  more: 'and {{count}} more',
};
