/**
 * The endpoints' routes, by the first part of their paths. A router of @koa/router tries its routes one after another, and of
 * all endpoints there are hundreds: a twentieth of the time of a short answer (bench/api).
 */
import Router from '@koa/router'
import type Koa from 'koa'
import { apiPrefix } from './public-urls.js'

export class RouteTable {
  private readonly routers = new Map<string, Router>()

  /** @param path below the API's prefix: `/calls/:id`. Those that begin alike are tried in the order of their coming. */
  add(method: string, path: string, middleware: readonly Koa.Middleware[]): void {
    const part = firstPart(apiPrefix + path)
    if (!part || part.startsWith(':')) throw new Error(`the first part of ${path} must be fixed`)
    const router = this.routers.get(part) ?? new Router()
    this.routers.set(part, router)
    router.register(apiPrefix + path, [method], [...middleware] as never)
  }

  /** Answers what is of these routes, and leaves the rest to the next. */
  routes(): Koa.Middleware {
    const routes = new Map(
      [...this.routers].map(([part, router]) => [part, router.routes() as unknown as Koa.Middleware]),
    )
    return async (ctx, next) => {
      const answer = routes.get(firstPart(ctx.path) ?? '')
      await (answer ? answer(ctx, next) : next())
    }
  }
}

const prefix = new RegExp(`^${apiPrefix}/([^/]+)`, 'i')

/** In lower case, as paths are the same in any. */
function firstPart(path: string): string | undefined {
  return prefix.exec(path)?.[1]?.toLowerCase()
}
