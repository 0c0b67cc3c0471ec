import { afterAll, beforeAll } from 'vitest'
import { createTestApp, type TestApp, type TestAppOptions } from './test-app.ts'

/** One application for the independent tests of a file or block; created before the first, closed after the last. */
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
