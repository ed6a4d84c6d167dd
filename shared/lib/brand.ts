/** A string or number that only its own constructor can make, so that ids of different things are never mixed up. */
export type Brand<T, Name extends string> = T & { readonly __brand: Name };
