import { addMembers } from '../members.ts'
import type { BenchRow } from '../row.ts'
import { compareTableSizes } from '../table-sizes.ts'

export const row: BenchRow = {
  name: 'levels',
  title: 'GET /api/membership-levels',
  async run(context) {
    const { findings, notes = [] } = await compareTableSizes(context, {
      path: '/api/membership-levels',
      call: 'Membership levels',
      rows: 'members',
      fill: (databaseUrl, count) => addMembers(databaseUrl, count, context.random),
    })
    return {
      findings,
      notes: [
        ...notes,
        'The answer lists every level, so the table that grows is that of members: accounts with names, consent, membership, payments and sessions.',
      ],
    }
  },
}
