import { createContext } from 'react-router'
import type { PageServices } from '#server/pages/page-services.ts'

/**
 * Loaders call `context.get(pageServicesContext)`. The server sets it before rendering; `entry.server.tsx` exports the
 * key because the bundle has its own copy of every module.
 */
export const pageServicesContext = createContext<PageServices>()

/** Called with every rendering error, so that it reaches the server's log. */
export const pageErrorContext = createContext<(error: unknown) => void>()
