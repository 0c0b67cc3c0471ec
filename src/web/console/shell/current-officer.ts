import { createContext, useContext } from 'react'
import type { Officer } from './use-officer.ts'

/** The officer who is inside the console; provided by `console.tsx`. */
export const CurrentOfficer = createContext<Officer | null>(null)

/** Returns the officer inside the console, for what a page shows by permission; null outside the console. */
export function useCurrentOfficer(): Officer | null {
  return useContext(CurrentOfficer)
}
