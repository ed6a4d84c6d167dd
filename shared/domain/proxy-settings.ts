import { z } from 'zod';

/** A host, `.name` and `*.name` with all below a name, an address, a range of addresses, or `*`; with a port if need be. */
const BYPASS_ENTRY =
  /^(?:\*|(?:\*?\.)?[\w-]+(?:\.[\w-]+)*(?::\d{1,5}|\/\d{1,2})?|[0-9a-f:.]+(?:\/\d{1,3})?|\[[0-9a-f:.]+\](?::\d{1,5})?)$/i;
/** Through which proxy service and storage are reached. */
export const proxySchema = z
  .strictObject({
    url: z
      .string()
      .min(1)
      .max(2048)
      .optional()
      .describe(
        'Forward proxy, such as `http://proxy.example.com:3128`, or `none`. Without it, `HTTPS_PROXY` or `HTTP_PROXY`, and `NO_PROXY`, are read from the environment.',
      ),
    bypass: z
      .array(
        z
          .string()
          .max(255)
          .regex(BYPASS_ENTRY, 'must be a host name, *.name, an IP address or a range such as 10.0.0.0/8'),
      )
      .max(64)
      .default([])
      .describe('Hosts, `*.suffix`, addresses and ranges to reach without the proxy.'),
  })
  .prefault({});
