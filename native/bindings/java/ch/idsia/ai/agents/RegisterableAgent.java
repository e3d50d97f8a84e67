package ch.idsia.ai.agents;

/** A name that agents of 2009 import. Ludus finds agents by their class, so there is nothing to register. */
public class RegisterableAgent {}
