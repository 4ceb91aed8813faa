/** A request that asks for faults, and what all kinds of faults of requests share. */
import type { TProperties } from 'typebox';
import type { InterceptedRequest, RouteDefinition } from '../../http/api/index.ts';
import type { Fault, FaultCandidate, FaultKind, FaultSite, Firing } from '../faults/index.ts';
import { RequestSubject, type SubjectViews } from './request-subject.ts';

/** Names the fault in an answer that it changed or held back; a lost connection has no answer. */
const FAULT_HEADER = 'x-injected-fault';

export class AskedRequest {
  readonly request: InterceptedRequest;
  readonly subject: RequestSubject;
  readonly #site: FaultSite;

  constructor(request: InterceptedRequest, site: FaultSite, views: SubjectViews) {
    this.request = request;
    this.subject = new RequestSubject(request, views);
    this.#site = site;
  }

  /**
   * The fault of a kind that fires for this request. A fault that names no path is for the routes
   * that `isFor` accepts.
   */
  fire<Parameters extends TProperties>(
    kind: FaultKind<Parameters>,
    isFor: (route: RouteDefinition) => boolean,
    concerns: (candidate: FaultCandidate<Parameters>) => boolean = () => true,
  ): Firing<Parameters> | undefined {
    const isOwnRoute = isFor(this.request.route);
    return this.#site.fire(kind, this.subject, (candidate) => {
      const { path } = candidate.fault.definition.match;
      return (isOwnRoute || path !== undefined) && concerns(candidate);
    });
  }

  /** Calls the handler. A failure is a rejection, also if it came at once. */
  async call(body = this.request.input.body): Promise<unknown> {
    const { route, input } = this.request;
    return await route.handler({ ...input, body });
  }

  /** Marks the answer. */
  mark({ id }: Fault): void {
    const { answer } = this.request;
    answer.further = [...answer.further, [FAULT_HEADER, id]];
  }
}
