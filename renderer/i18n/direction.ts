/** Direction in which a language is written. */
export function directionOf(language: string): 'ltr' | 'rtl' {
  return /^(ar|fa|he|ur)(-|$)/.test(language) ? 'rtl' : 'ltr';
}
