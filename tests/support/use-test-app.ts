import { afterAll, beforeAll } from 'vitest'
import { createTestApp, type TestApp, type TestAppOptions } from './test-app.ts'

/** One application for the tests of a file or block that do not disturb each other; made before the first, gone after the last. */
export function useTestApp(options: TestAppOptions = {}): () => TestApp {
  let app: TestApp | null = null
  beforeAll(async () => {
    app = await createTestApp(options)
  })
  afterAll(() => app?.[Symbol.asyncDispose]())
  return () => {
    if (!app) throw new Error('The application is there once the tests run.')
    return app
  }
}
