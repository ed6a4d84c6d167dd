import { z } from 'zod';

// Compiled parsers need `new Function`, which the page's policy forbids; even an attempt would be reported.
z.config({ jitless: true });
