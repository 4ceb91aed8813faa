// A collector that speaks OTLP/HTTP: a real HTTP server in the test's process, which decodes what
// arrives.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly spans: readonly ReceivedSpan[];
  /** Attributes of the resource. */
  readonly resource: Readonly<Record<string, string>>;
}

export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  readonly kind: number;
  readonly startNanos: bigint;
  readonly endNanos: bigint;
  readonly attributes: Readonly<Record<string, string>>;
  readonly isFailed: boolean;
}

interface AttributeJson {
  readonly key: string;
  readonly value: { readonly stringValue: string } | { readonly intValue: string };
}

interface SpanJson {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes?: readonly AttributeJson[];
  readonly status?: { readonly code: number };
}

/** The JSON of a message. A test of another form would fail where it is read. */
interface Message {
  readonly resourceSpans: readonly [
    {
      readonly resource: { readonly attributes: readonly AttributeJson[] };
      readonly scopeSpans: readonly [{ readonly spans: readonly SpanJson[] }];
    },
  ];
}

type Answer = (response: ServerResponse) => void;

export const TAKEN: Answer = (response) => {
  response.setHeader('content-type', 'application/json').end('{"partialSuccess":{}}');
};

export class Collector {
  readonly received: Received[] = [];
  answer: Answer = TAKEN;
  #port = 0;
  #onMessage: () => void = () => {};

  static async start(t: Pick<Test, 'teardown'>): Promise<Collector> {
    const collector = new Collector();
    const server = createServer(async (request, response) => {
      const { url = '', headers } = request;
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      collector.#receive(url, headers, JSON.parse(Buffer.concat(chunks).toString()));
      collector.answer(response);
      collector.#onMessage();
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    // Safe: it listens on a port.
    collector.#port = (server.address() as AddressInfo).port;
    t.teardown(() => {
      server.closeAllConnections();
      server.close();
    });
    return collector;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${this.#port}/v1/traces`;
  }

  get spans(): readonly ReceivedSpan[] {
    return this.received.flatMap(({ spans }) => spans);
  }

  /** The spans of the trace of a request, once they are here: the root first. */
  async traceOf(requestId: string): Promise<readonly ReceivedSpan[]> {
    for (;;) {
      const root = this.spans.find(({ attributes }) => attributes['request.id'] === requestId);
      if (root !== undefined) {
        const later = this.spans.filter((span) => span !== root);
        return [root, ...later.filter(({ traceId }) => traceId === root.traceId)];
      }
      await this.message();
    }
  }

  /** Resolves at the next message. */
  message(): Promise<void> {
    return new Promise((resolve) => {
      this.#onMessage = resolve;
    });
  }

  #receive(path: string, headers: IncomingHttpHeaders, { resourceSpans }: Message): void {
    const [{ resource, scopeSpans }] = resourceSpans;
    const [{ spans }] = scopeSpans;
    this.received.push({
      path,
      headers,
      resource: attributesIn(resource.attributes),
      spans: spans.map(spanIn),
    });
  }
}

function spanIn(span: SpanJson): ReceivedSpan {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: span.parentSpanId ?? '',
    name: span.name,
    kind: span.kind,
    startNanos: BigInt(span.startTimeUnixNano),
    endNanos: BigInt(span.endTimeUnixNano),
    attributes: attributesIn(span.attributes ?? []),
    isFailed: span.status?.code === 2,
  };
}

function attributesIn(attributes: readonly AttributeJson[]): Record<string, string> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      'intValue' in value ? value.intValue : value.stringValue,
    ]),
  );
}
