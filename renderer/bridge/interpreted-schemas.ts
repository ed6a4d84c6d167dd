import { z } from 'zod';

// Compiled parsers need `new Function`, which the policy of the page refuses; even the trial of it is reported.
z.config({ jitless: true });
