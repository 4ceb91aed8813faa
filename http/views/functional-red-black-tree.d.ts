/**
 * The part of functional-red-black-tree 1.0.1 that we use. The package brings no types, and those
 * of the registry declare iterators without `update` and nodes without links.
 */
declare module 'functional-red-black-tree' {
  interface TreeNode<Key, Value> {
    readonly key: Key;
    readonly value: Value;
    readonly left: TreeNode<Key, Value> | null;
    readonly right: TreeNode<Key, Value> | null;
  }
  export interface TreeIterator<Key, Value> {
    /** Whether the iterator stands at an entry. */
    readonly valid: boolean;
    /** undefined beyond either end. */
    readonly key: Key | undefined;
    /** The tree with another value for the entry. */
    update(value: Value): Tree<Key, Value>;
    /** The tree without the entry; the same tree where there is none. */
    remove(): Tree<Key, Value>;
  }
  /** A sorted map that never changes: each change gives a new tree that shares most nodes. */
  export interface Tree<Key, Value> {
    readonly root: TreeNode<Key, Value> | null;
    /** The number of entries, known without counting. */
    readonly length: number;
    /** At the greatest entry. */
    readonly end: TreeIterator<Key, Value>;
    get(key: Key): Value | undefined;
    find(key: Key): TreeIterator<Key, Value>;
    /** Adds an entry, also where the key has one already. */
    insert(key: Key, value: Value): Tree<Key, Value>;
    remove(key: Key): Tree<Key, Value>;
    /** At the greatest entry below a key. */
    lt(key: Key): TreeIterator<Key, Value>;
    /** Visits the entries in order until a visit returns something truthy. */
    forEach(visit: (key: Key, value: Value) => void): void;
  }
  // biome-ignore lint/style/noDefaultExport: what the package exports
  export default function createTree<Key, Value>(
    compare: (a: Key, b: Key) => number,
  ): Tree<Key, Value>;
}
