export { routes as default } from './app/routes.ts'
