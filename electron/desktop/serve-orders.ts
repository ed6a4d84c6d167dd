import type { z } from 'zod';
import type { Failure } from '../../shared/domain/failure.ts';
import {
  desktopOrders,
  type DesktopOrderArguments,
  type DesktopOrderName,
  type DesktopOrderOutput,
} from '../../shared/ipc/desktop.ts';
import { requestSchema, type CallReply } from '../../shared/ipc/envelope.ts';
import { err, ok, type Result } from '../../shared/lib/result.ts';
import type { Logger } from '../agent/index.ts';
import type { DesktopOrders } from './desktop-ports.ts';

/** The schemas of each order, in a form that keeps its types when the name is a variable. */
const schemas: {
  readonly [Name in DesktopOrderName]: {
    readonly input: z.ZodType<DesktopOrderArguments<Name>>;
    readonly output: z.ZodType<DesktopOrderOutput<Name>>;
  };
} = desktopOrders;

/** Answers an order, whatever came in; never rejects. Errors beside the order's own: CALL_UNKNOWN, CALL_INPUT, CALL_FAULT. */
export type ServeOrder = (request: unknown) => Promise<CallReply>;

export function createServeOrder(orders: DesktopOrders, logger: Logger): ServeOrder {
  async function carryOut<Name extends DesktopOrderName>(
    name: Name,
    given: unknown,
  ): Promise<Result<DesktopOrderOutput<Name>, Failure>> {
    const input = schemas[name].input.safeParse(given);
    if (!input.success) return err(refusedInput(name));
    const result = await orders[name](input.data);
    return result.ok ? ok(schemas[name].output.parse(result.value)) : result;
  }

  return async (request) => {
    const envelope = requestSchema.safeParse(request);
    if (!envelope.success || !isOrderName(envelope.data.call)) return err(unknownOrder);
    const { call: order, input } = envelope.data;
    try {
      return await carryOut(order, input);
    } catch (error) {
      logger.error('An order of the page ended with an unexpected error', { order, error });
      return err(faultyOrder);
    }
  };
}

/** Own names only: `constructor` and its like are on every object. */
const isOrderName = (name: string): name is DesktopOrderName => Object.hasOwn(desktopOrders, name);

const refusedInput = (order: DesktopOrderName): Failure => ({
  code: 'CALL_INPUT',
  message: `The app does not take what was given with ${order}.`,
  advice: 'Close the window and open it again.',
  retryable: false,
});

const unknownOrder: Failure = {
  code: 'CALL_UNKNOWN',
  message: 'The app has no such order.',
  advice: 'Close the window and open it again.',
  retryable: false,
};

const faultyOrder: Failure = {
  code: 'CALL_FAULT',
  message: 'The app could not carry this out because of a fault of its own.',
  advice: 'Try again. If it happens again, the log of the app has the details.',
  retryable: true,
};
