import { data } from 'react-router'
import { NotFoundResult } from '#web/app/failures/not-found-result.tsx'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import type { Route } from './+types/not-found'

export function loader() {
  return data(null, { status: 404 })
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ contents: contentsOf(matches), title: 'Page not found' })
}

export default function NotFoundPage() {
  return <NotFoundResult />
}
