import t from 'tap';
import { Engine, RULES_VERSION } from '../../../engine/index.ts';

t.test('the newest rules are in force by default', (t) => {
  t.equal(new Engine().rules, RULES_VERSION);
  t.end();
});

t.test('only existing versions of the rules can be set', (t) => {
  for (const version of [0, RULES_VERSION + 1, 1.5, Number.NaN]) {
    const engine = new Engine();
    t.throws(() => {
      engine.rules = version;
    }, /rules have versions 1 to/);
    t.equal(engine.rules, RULES_VERSION);
  }
  t.end();
});
