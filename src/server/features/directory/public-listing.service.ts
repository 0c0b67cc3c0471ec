import type { AppContext } from '#server/app-context.ts'
import type { DirectoryService } from './directory.service.ts'

/** Whether the public page shows anyone, known without waiting: the sitemap names the page only then. */
export interface PublicListing {
  isAnyoneListed(): boolean
  refresh(): Promise<void>
  stop(): void
}

// As for content: other instances follow within a second.
const POLL_MS = 500

/** Resolves once it is known. */
export async function createPublicListing(
  { log }: Pick<AppContext, 'log'>,
  { directory, polling }: { directory: Pick<DirectoryService, 'isAnyonePublic'>; polling: boolean },
): Promise<PublicListing> {
  let isAnyone = false
  let running: Promise<void> | null = null

  async function read(): Promise<void> {
    try {
      isAnyone = await directory.isAnyonePublic()
    } catch (error) {
      log.warn({ reason: String((error as Error).message) }, 'reading the public directory failed')
    }
  }

  async function refresh(): Promise<void> {
    await running
    running = read().finally(() => {
      running = null
    })
    return running
  }

  await refresh()
  const timer = polling ? setInterval(() => void (running ?? refresh()), POLL_MS) : null
  timer?.unref()
  return {
    isAnyoneListed: () => isAnyone,
    refresh,
    stop() {
      if (timer) clearInterval(timer)
    },
  }
}
