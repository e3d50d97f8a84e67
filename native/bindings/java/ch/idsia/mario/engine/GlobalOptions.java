package ch.idsia.mario.engine;

/** A name that agents of 2009 import. Ludus draws nothing for agents, so there is nothing to set. */
public final class GlobalOptions {
    private GlobalOptions() {}
}
