/**
 * A client of a simulated cluster: it moves money, one movement at a time, and repeats it at any
 * node until one acknowledges it.
 */
import type { Command } from '../../../engine/index.ts';
import { micros } from '../../../engine/index.ts';
import type { Applied } from '../../../persistence/shared/index.ts';
import { StoreError } from '../../../persistence/shared/index.ts';
import type { ClusterWorld, SimNode } from './sim-node.ts';

const PATIENCE_MS = 2_000;
const PAUSE_MS = 150;

export class SimClient {
  readonly #account: string;
  readonly #world: ClusterWorld;
  #movements = 0;
  /** What was sent and not acknowledged. */
  #pending: Command;
  /** Whether what it sent last was acknowledged. */
  #hasAnswer = false;
  #isStopping = false;
  acknowledged = 0;

  constructor(world: ClusterWorld, number: number) {
    this.#world = world;
    this.#account = `0x${String(number).padStart(40, '0')}`;
    const owner = this.#account;
    const paperMicros = micros(0);
    this.#pending = { kind: 'open_account', address: owner, owner, wallet: 'eoa', paperMicros };
    this.#later(() => this.#send());
  }

  /** Sends nothing new any more. */
  stop(): void {
    this.#isStopping = true;
  }

  get isIdle(): boolean {
    return this.#isStopping && this.#hasAnswer;
  }

  #later(run: () => void): void {
    const { clock, random } = this.#world;
    clock.afterAs(undefined, random.below(PAUSE_MS), run);
  }

  /** Calls a node as a request from outside; `undefined` if there is no answer. */
  #ask<Answer>(
    call: (node: SimNode) => Promise<Answer>,
    take: (answer: Answer | undefined, node: string) => void,
  ): void {
    const { clock, random, nodes } = this.#world;
    const node = random.pick(nodes);
    const { life } = node;
    let isSettled = false;
    const settle = (answer?: Answer): void => {
      if (isSettled) return;
      isSettled = true;
      take(answer, node.name);
    };
    clock.afterAs(undefined, PATIENCE_MS, settle);
    if (life === undefined) return;
    clock.afterAs(node.process, random.below(5), () => {
      call(node).then(
        (answer) => {
          // The way back; the node has answered whether or not the answer arrives.
          if (!random.chance(5)) clock.afterAs(undefined, random.below(5), () => settle(answer));
        },
        (error) => {
          if (!(error instanceof StoreError)) this.#world.fail(error);
          clock.afterAs(undefined, 0, settle);
        },
      );
    });
  }

  #send(): void {
    if (this.isIdle) return;
    const command = this.#pending;
    const { auditor } = this.#world;
    this.#hasAnswer = false;
    this.#ask(
      async (node) => {
        const applied = await node.life!.submit(command);
        if (command.kind === 'deposit') auditor.answers(node.name, command.key, applied.seq);
        return applied;
      },
      (applied) => this.#receive(applied),
    );
  }

  #receive(applied: Applied | undefined): void {
    if (applied === undefined) {
      this.#world.count('repeated');
      this.#later(() => this.#send());
      return;
    }
    this.acknowledged += 1;
    this.#hasAnswer = true;
    if (this.#isStopping) return;
    this.#movements += 1;
    const key = `${this.#account.slice(-2)}-${this.#movements}`;
    const account = this.#account;
    this.#pending = { kind: 'deposit', account, key, amountMicros: micros(1) };
    this.#later(() => this.#send());
  }
}
