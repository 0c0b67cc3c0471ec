import { setImmediate as nextTurn } from 'node:timers/promises'
import { SqliteDialect, type DatabaseConnection, type Driver } from 'kysely'

/** Back-to-back statements yield to the event loop this often, so that requests in between are served. */
const YIELD_EVERY_MS = 10

/**
 * better-sqlite3 is synchronous: many consecutive statements, awaited or not, would block the process. This dialect yields to the event loop between
 * statements. A transaction keeps its connection meanwhile.
 */
export class YieldingSqliteDialect extends SqliteDialect {
  override createDriver(): Driver {
    const driver = super.createDriver()
    const paced = new WeakSet<DatabaseConnection>()
    const acquire = driver.acquireConnection.bind(driver)
    driver.acquireConnection = async (...options) => {
      const connection = await acquire(...options)
      if (!paced.has(connection)) yieldBetweenStatements(connection)
      paced.add(connection)
      return connection
    }
    return driver
  }
}

function yieldBetweenStatements(connection: DatabaseConnection): void {
  let busySince: number | null = null
  const execute = connection.executeQuery.bind(connection)
  connection.executeQuery = async (...query) => {
    if (busySince === null) {
      busySince = performance.now()
      setImmediate(() => (busySince = null))
    } else if (performance.now() - busySince > YIELD_EVERY_MS) {
      await nextTurn()
    }
    return execute(...query)
  }
}
