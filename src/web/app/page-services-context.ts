import { createContext } from 'react-router'
import type { PageServices } from '#server/pages/page-services.ts'

/**
 * `context.get(pageServicesContext)` in a page's loader. The server sets it before it renders; `entry.server.tsx` hands it the key, since
 * the bundle has its own copy of every module.
 */
export const pageServicesContext = createContext<PageServices>()

/** Told of every error while a page is rendered, so that it reaches the server's log. */
export const pageErrorContext = createContext<(error: unknown) => void>()
