/** For lists of what is not wholly sent, beside a million clips that are: see `openIncidents` in `incident-pages.ts`. */
export const openIncidents = `
CREATE INDEX incidents_unsynced ON incidents (number) WHERE synced_version < version;
CREATE INDEX tallies_failed ON incident_tallies (incident_number) WHERE failed > left_out;
`;
