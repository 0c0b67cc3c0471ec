import { writeFileSync } from 'node:fs'

/** Loaded into the site's process by T32: on SIGUSR2 it reports additions to the built-in prototypes. */
process.on('SIGUSR2', () => {
  const found = [Object.prototype, Array.prototype, Function.prototype, String.prototype].map((prototype) =>
    Object.getOwnPropertyNames(prototype).sort(),
  )
  writeFileSync(process.env['PROTOTYPE_PROBE'] ?? '', JSON.stringify(found))
})
