import type { Config } from '@react-router/dev/config'

export default {
  appDirectory: 'src/web',
  // tools/build.ts names a folder for each build; the command itself is only used for the types and while developing.
  buildDirectory: process.env['SITE_BUILD_DIRECTORY'] ?? 'build/unnamed',
  ssr: true,
  // All routes are known from the first page on: no calls to discover them, which could not be cached.
  routeDiscovery: { mode: 'initial' },
} satisfies Config
