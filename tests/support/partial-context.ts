import type { AppContext } from '#server/app-context.ts'

/** An application context with only the parts that a test gives. Reading another part throws. */
export function partialContext(given: Partial<AppContext>): AppContext {
  return new Proxy(given, {
    get(target, name) {
      if (name in target) return Reflect.get(target, name)
      throw new Error(`this test gives no context.${String(name)}`)
    },
  }) as AppContext
}
