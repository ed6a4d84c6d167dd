import type { Logger } from '../agent/index.ts';
import { sendText, type Exchange } from './answer.ts';
import type { LaunchCodes } from './launch-codes.ts';
import type { Refusal } from './refusal.ts';
import { writeSessionCookie } from './session-cookie.ts';
import type { Sessions } from './sessions.ts';

/** What a browser brings to the launch address. */
export interface Launch {
  readonly code: string;
  /** Cookies of an earlier session of the same browser. */
  readonly secrets: readonly string[];
  readonly port: number;
}

/** `GET /launch/CODE`: exchanges the one-time code for a session, and leaves the address with the code behind. */
export type ServeLaunch = (exchange: Exchange, launch: Launch) => Refusal | undefined;

export function createServeLaunch(codes: LaunchCodes, sessions: Sessions, logger: Logger): ServeLaunch {
  return ({ response }, { code, secrets, port }) => {
    const redemption = codes.redeem(code);
    switch (redemption.kind) {
      case 'refused':
        return { status: 403, text: 'This address was used already or is too old.', isPage: true };
      case 'too-many':
        return {
          status: 429,
          text: 'Too many addresses were refused. The next one is looked at in a minute.',
          isPage: true,
          retryAfterSeconds: Math.ceil(redemption.retryAfterMs / 1000),
        };
      case 'accepted': {
        for (const secret of secrets) sessions.end(secret);
        const cookie = writeSessionCookie(port, sessions.open());
        logger.info('The console was opened in a browser.');
        sendText(response, 303, '', { location: '/', 'set-cookie': cookie });
        return undefined;
      }
    }
  };
}
