import type { ReactNode } from 'react'
import { Box } from './box.tsx'

/** In place of a part that an officer who views the site as the member cannot use. */
export function OnlyForMember({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Box title={title}>
      <p className="soft">Only for the member: {children}</p>
    </Box>
  )
}
