import { readRelease } from '#server/monitoring/process-stats.ts'
import { fetchRelease, isNewer, ReleaseProblem } from '#server/releases/release-file.ts'
import { storeRelease } from '#server/releases/stored-release.ts'
import type { ToolsWithoutDatabase } from '../tools.ts'

/** `releases`. */
export async function releases(parameters: readonly string[], { config, say }: ToolsWithoutDatabase): Promise<number> {
  if (parameters.length > 0) {
    say('Usage: releases')
    return 2
  }
  if (!config.releases) {
    say('RELEASES_URL is not set, so no one is asked for newer releases.')
    return 0
  }
  const { version } = readRelease(null)
  try {
    const release = await fetchRelease(config.releases, version)
    await storeRelease(config.dataDirectory, release)
    if (!isNewer(release.version, version)) {
      say(`${version} is the newest release.`)
      return 0
    }
    say(`Release ${release.version} is available:`)
    for (const sentence of release.brings) say(`  - ${sentence}`)
    say('To install it: sudo association-admin upgrade')
    return 0
  } catch (error) {
    if (!(error instanceof ReleaseProblem)) throw error
    say(error.message)
    return 1
  }
}
