import type { Exchange } from '../../../persistence/index.ts';

/** The exchange with another `submit`. */
export function withSubmit(exchange: Exchange, submit: Exchange['submit']): Exchange {
  return new Proxy(exchange, {
    get: (target, name) => {
      if (name === 'submit') return submit;
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}
