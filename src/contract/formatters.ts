const made = new Map<string, Intl.DateTimeFormat | Intl.NumberFormat>()

// Making a formatter takes a hundred times as long as using it, so each is made once.
function once<Format extends Intl.DateTimeFormat | Intl.NumberFormat>(
  options: object,
  locale: string,
  make: new (locale: string, options: object) => Format,
): Format {
  const key = locale + JSON.stringify(options)
  if (!made.has(key)) made.set(key, new make(locale, options))
  return made.get(key) as Format
}

/** A formatter of days and times: the same one for the same options. */
export function dateFormat(options: Intl.DateTimeFormatOptions, locale = 'en-US'): Intl.DateTimeFormat {
  return once(options, locale, Intl.DateTimeFormat)
}

/** A formatter of numbers and amounts: the same one for the same options. */
export function numberFormat(options: Intl.NumberFormatOptions, locale = 'en-US'): Intl.NumberFormat {
  return once(options, locale, Intl.NumberFormat)
}
