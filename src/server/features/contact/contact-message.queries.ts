import type { ContactMessageTable } from '#server/db/schema/inbox-schema.ts'

export type ContactMessage = Omit<ContactMessageTable, 'assignedTo' | 'spamAt' | 'version'>
