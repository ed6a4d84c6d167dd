import { describe, expect, it } from 'vitest';
import { errorOf, going, useServiceDesk } from './service-desk.ts';

const desk = useServiceDesk();

const INVALID_PERIOD = 'Invalid period_id. It must be a valid integer for your team.';
const INVALID_FIELDS = 'Invalid form_fields. It must be an array of strings.';
const PROCESSING = 'An error occurred while processing your request';

const actions = (id: number | string = 41) => desk().team.periods.readActions(id, ['location'], going);

describe('Errors', () => {
  it('Errors | period_id is not a valid integer for the team | 400 with its message', async () => {
    for (const id of ['forty-one', desk().simulator.team().otherTeamPeriod.id]) {
      const failure = await errorOf(actions(id));
      expect(failure).toMatchObject({ code: 'VALIDATION', status: 400, detail: INVALID_PERIOD });
      expect(failure.fields?.map(({ name }) => name)).toEqual(['period_id']);
    }
  });

  it('Errors | period does not exist | 404 with its message', async () => {
    const failure = await errorOf(actions(987_654_321));
    expect(failure).toMatchObject({ code: 'NOT_FOUND', status: 404, detail: 'Period not found' });
  });

  it('Errors | form_fields is not an array of strings | 400 with its message', async () => {
    desk().answerNext({ message: INVALID_FIELDS }, 400);
    const failure = await errorOf(actions());
    expect(failure).toMatchObject({ code: 'VALIDATION', status: 400, detail: INVALID_FIELDS });
    expect(failure.fields?.map(({ name }) => name)).toEqual(['form_fields']);
  });

  it('Errors | processing failure | its message, status not given', async () => {
    desk().answerNext({ message: PROCESSING }, 500);
    expect(await errorOf(actions())).toMatchObject({ code: 'SERVICE_FAULT', detail: PROCESSING });
    desk().answerNext({ message: PROCESSING }, 500);
    const periods = desk().team.periods.list({}, going);
    expect(await errorOf(periods)).toMatchObject({ code: 'SERVICE_FAULT', detail: PROCESSING });
  });

  it('Errors | not shown: status of the processing failure | gaps 22, 23 | a fault whatever it is', async () => {
    for (const status of [200, 400, 422, 500, 503]) {
      desk().answerNext({ message: PROCESSING }, status);
      expect(await errorOf(actions()), String(status)).toMatchObject({ code: 'SERVICE_FAULT' });
    }
  });

  it('Errors | not shown: an error under HTTP 200 | gap 22 | a status of 400 or more in the body counts', async () => {
    desk().answerNext({ status: 404, message: 'Period not found' }, 200);
    expect(await errorOf(actions())).toMatchObject({ code: 'NOT_FOUND', status: 404 });
    desk().answerNext({ status: 422, message: 'Too many', actions: [] }, 200);
    expect(await errorOf(actions())).toMatchObject({ code: 'VALIDATION', status: 422 });
  });

  it('Errors | not shown: errors of the video endpoints | gap 23 | message as text or as an object', async () => {
    desk().answerNext({ status: 422, message: 'Too many parts' }, 422);
    const asText = await errorOf(desk().incidents.get('i', going));
    expect(asText).toMatchObject({ code: 'VALIDATION', status: 422, detail: 'Too many parts' });
    desk().answerNext({ status: 422, message: { error: 'Too many parts' } }, 422);
    const asObject = await errorOf(desk().incidents.get('i', going));
    expect(asObject).toMatchObject({ code: 'VALIDATION', status: 422 });
    expect(asObject.message).toContain('Too many parts');
  });

  it('Errors | not shown: bodies that are no JSON | gap 23 | status and the first 200 characters', async () => {
    desk().answerNext(`<html>${'x'.repeat(5000)}</html>`, 502);
    const page = await errorOf(desk().incidents.get('i', going));
    expect(page).toMatchObject({ code: 'SERVICE_FAULT', status: 502 });
    expect(page.detail).toHaveLength(200);
    desk().answerNext('', 502);
    expect(await errorOf(actions())).toMatchObject({ code: 'SERVICE_FAULT', status: 502 });
  });

  it('Authentication | not shown: permissions for other endpoints | gap 23 | a 403 is told as it is', async () => {
    desk().answerNext({ message: 'Not for this key' }, 403);
    const failure = await errorOf(desk().team.periods.list({}, going));
    expect(failure).toMatchObject({ code: 'PERMISSION_MISSING', status: 403, detail: 'Not for this key' });
  });
});
